package io.github.tandemstreams.autoconfigure;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;

/**
 * Makes records by a handle of their constructor that takes its arguments as an array. Jackson adapts the handle for each of
 * them anew, which takes it longer than to read some of the values. What an application makes in a way of its own is left alone.
 */
final class QuickRecords extends ValueInstantiators.Base {

    private static final MethodType FROM_ARRAY = MethodType.methodType(Object.class, Object[].class);

    @Override
    public ValueInstantiator modifyValueInstantiator(
            DeserializationConfig config, BeanDescription.Supplier type, ValueInstantiator instantiator) {
        if (instantiator.getClass() == StdValueInstantiator.class
                && instantiator.getValueClass().isRecord()
                && instantiator.getWithArgsCreator() instanceof AnnotatedConstructor creator) {
            MethodHandle handle = handle(creator.getAnnotated(), config);
            if (handle != null) {
                return new Quick((StdValueInstantiator) instantiator, handle);
            }
        }
        return instantiator;
    }

    /** Null if it can't be reached. */
    private static @Nullable MethodHandle handle(Constructor<?> constructor, DeserializationConfig config) {
        if (config.isEnabled(MapperFeature.CAN_OVERRIDE_ACCESS_MODIFIERS) && !constructor.trySetAccessible()) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .unreflectConstructor(constructor)
                    .asFixedArity()
                    .asSpreader(Object[].class, constructor.getParameterCount())
                    .asType(FROM_ARRAY);
        } catch (IllegalAccessException hidden) {
            return null;
        }
    }

    private static final class Quick extends StdValueInstantiator {

        private final transient MethodHandle constructor;

        Quick(StdValueInstantiator other, MethodHandle constructor) {
            super(other);
            this.constructor = constructor;
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, @Nullable Object[] arguments) {
            try {
                return (Object) constructor.invokeExact(arguments);
            } catch (Error error) {
                throw error;
            } catch (Throwable thrown) {
                return context.handleInstantiationProblem(
                        getValueClass(), arguments, rewrapCtorProblem(context, thrown));
            }
        }
    }
}
