package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Effects;
import java.lang.reflect.Method;
import org.springframework.util.ClassUtils;

/**
 * A {@code @ForeachBatch} method that was found.
 *
 * @param stream name of its stream
 * @param effects where its effects are
 * @param beanName the bean to call it on
 * @param beanType the bean's class, under all proxies
 * @param method the method as that class has it
 */
record Handler(String stream, Effects effects, String beanName, Class<?> beanType, Method method) {

    /** For messages, such as {@code AirportDelays.record(Batch) of bean 'airportDelays'}. */
    String describe() {
        StringBuilder parameters = new StringBuilder();
        for (Class<?> type : method.getParameterTypes()) {
            parameters.append(parameters.isEmpty() ? "" : ", ").append(type.getSimpleName());
        }
        return "%s.%s(%s) of bean '%s'"
                .formatted(ClassUtils.getShortName(beanType), method.getName(), parameters, beanName);
    }
}
