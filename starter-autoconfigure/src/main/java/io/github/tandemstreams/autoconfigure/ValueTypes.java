package io.github.tandemstreams.autoconfigure;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/** Reads types as their declaration in a bean's class means them. */
final class ValueTypes {

    private ValueTypes() {}

    /**
     * The argument of a parameterized type, such as {@code Order} of {@code List<Order>}. A type variable is what the
     * bean's class binds it to. A wildcard or an unbound variable is its bound: Kotlin's {@code List<Order>} arrives here
     * as {@code List<? extends Order>}.
     *
     * @return null if nothing is said, as in {@code List} or {@code List<?>}
     */
    static @Nullable Type argument(Type parameterized, Class<?> beanType) {
        return parameterized instanceof ParameterizedType type
                ? meaning(type.getActualTypeArguments()[0], beanType)
                : null;
    }

    private static @Nullable Type meaning(Type type, Class<?> beanType) {
        if (type instanceof WildcardType wildcard) {
            Type[] lower = wildcard.getLowerBounds();
            return lower.length > 0 ? meaning(lower[0], beanType) : bound(wildcard.getUpperBounds()[0], beanType);
        }
        if (type instanceof TypeVariable<?> variable) {
            Type resolved = GenericTypeResolver.resolveType(variable, beanType);
            return resolved instanceof TypeVariable<?>
                    ? bound(variable.getBounds()[0], beanType)
                    : meaning(resolved, beanType);
        }
        return type instanceof ParameterizedType parameterized ? meaning(parameterized, beanType) : type;
    }

    private static @Nullable Type bound(Type bound, Class<?> beanType) {
        return bound == Object.class ? null : meaning(bound, beanType);
    }

    private static Type meaning(ParameterizedType type, Class<?> beanType) {
        ResolvableType[] arguments = Arrays.stream(type.getActualTypeArguments())
                .map(argument -> meaning(argument, beanType))
                .map(argument -> ResolvableType.forType(argument == null ? Object.class : argument))
                .toArray(ResolvableType[]::new);
        return ResolvableType.forClassWithGenerics((Class<?>) type.getRawType(), arguments)
                .getType();
    }

    /** The class of the type, without its arguments. */
    static Class<?> raw(Type type) {
        return ResolvableType.forType(type).resolve(Object.class);
    }
}
