package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.ForeachBatch;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Tells a native image what the handlers of a bean need: the classes in which {@link HandlerDiscovery} looks for them, the
 * methods that {@link HandlerSink} calls, and the types of the values that are read from JSON.
 *
 * <p>Only the class is known here by which the bean is declared. A handler that a factory method returns as an interface
 * without the annotation is found when the application runs, but has no hints.
 */
final class HandlerHints implements BeanRegistrationAotProcessor {

    private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Map<Method, ForeachBatch> handlers = HandlerDiscovery.annotated(type);
        if (handlers.isEmpty()) {
            return null;
        }
        return (generation, code) -> {
            ReflectionHints hints = generation.getRuntimeHints().reflection();
            registerHierarchy(type, hints);
            handlers.forEach((method, annotation) -> register(
                    new Handler(annotation.value(), annotation.effects(), bean.getBeanName(), type, method), hints));
        };
    }

    private static void registerHierarchy(Class<?> type, ReflectionHints hints) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            hints.registerType(each);
        }
        ClassUtils.getAllInterfacesForClassAsSet(type).forEach(each -> hints.registerType(each));
    }

    private void register(Handler handler, ReflectionHints hints) {
        hints.registerMethod(handler.method(), ExecutableMode.INVOKE);
        // Through a proxy of interfaces it is called by this one.
        hints.registerMethod(
                ClassUtils.getInterfaceMethodIfPossible(handler.method(), handler.beanType()), ExecutableMode.INVOKE);
        try {
            binding.registerReflectionHints(hints, HandlerSignature.of(handler).value());
        } catch (TandemConfigurationException unsuitable) {
            // The start says so, unless the stream is disabled there.
        }
    }
}
