package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.ForeachBatch;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the {@code @ForeachBatch} methods of all beans: on the class under the proxy, inherited, declared by an interface,
 * or by way of an annotation that carries it. Bridge methods don't count twice, nor do the targets of scoped proxies.
 *
 * <p>To be asked when all singletons exist: only then is the class known of a bean that a factory method returns as an
 * interface.
 */
final class HandlerDiscovery {

    private static final Logger log = LoggerFactory.getLogger(HandlerDiscovery.class);

    private final ConfigurableListableBeanFactory beans;

    HandlerDiscovery(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    List<Handler> find() {
        List<Handler> handlers = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : typeOf(name);
            if (type != null) {
                annotated(type).forEach((method, annotation) -> handlers.add(handler(name, type, method, annotation)));
            }
        }
        return handlers;
    }

    /** The class under the proxies. */
    private @Nullable Class<?> typeOf(String name) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type != null && ScopedObject.class.isAssignableFrom(type)) {
            Class<?> target = AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(name));
            type = target == null ? type : target;
        }
        if (type != null && Proxy.isProxyClass(type) && beans.isSingleton(name)) {
            type = AopProxyUtils.ultimateTargetClass(beans.getBean(name));
        }
        return type == null ? null : ClassUtils.getUserClass(type);
    }

    /** The handlers of a class; none if the class can't be read. */
    static Map<Method, ForeachBatch> annotated(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, ForeachBatch.class)) {
            return Map.of();
        }
        try {
            MetadataLookup<@Nullable ForeachBatch> lookup =
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, ForeachBatch.class);
            return MethodIntrospector.selectMethods(type, lookup);
        } catch (LinkageError | IllegalStateException unreadable) {
            // A bean of some library, which names a class that isn't there.
            log.debug("No handlers are looked for in {}, which can't be read", type.getName(), unreadable);
            return Map.of();
        }
    }

    private Handler handler(String bean, Class<?> type, Method method, ForeachBatch annotation) {
        String stream = beans.resolveEmbeddedValue(annotation.value());
        return new Handler(stream == null ? "" : stream, annotation.effects(), bean, type, method);
    }
}
