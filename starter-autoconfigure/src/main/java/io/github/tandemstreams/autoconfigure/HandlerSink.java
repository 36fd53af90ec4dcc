package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.sink.Sink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Hands batches to a handler. It is called on the bean, that is through its proxy, so that the application's own advice
 * applies.
 */
final class HandlerSink implements Sink<Object> {

    private final BeanFactory beans;
    private final String beanName;
    private final Method method;
    private final List<Class<?>> parameters;

    private HandlerSink(BeanFactory beans, String beanName, Method method, List<Class<?>> parameters) {
        this.beans = beans;
        this.beanName = beanName;
        this.method = method;
        this.parameters = parameters;
    }

    /**
     * The sink of a handler.
     *
     * @throws TandemConfigurationException if the method can't be called through the bean's proxy, or not in this thread
     */
    static HandlerSink of(Handler handler, HandlerSignature signature, BeanFactory beans) {
        Object bean = beans.getBean(handler.beanName());
        HandlerChecks.requireCallingThread(handler, bean);
        Method method = invocable(handler, bean);
        ReflectionUtils.makeAccessible(method);
        return new HandlerSink(beans, handler.beanName(), method, signature.parameters());
    }

    private static Method invocable(Handler handler, Object bean) {
        // On the proxy itself such a method runs, past all advice and with null in every field.
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(handler.method().getModifiers())) {
            throw HandlerMistakes.notInvocable(handler, "is final, but the bean is proxied by a subclass");
        }
        try {
            return AopUtils.selectInvocableMethod(handler.method(), bean.getClass());
        } catch (IllegalStateException notOnProxy) {
            throw HandlerMistakes.notInvocable(
                    handler,
                    AopUtils.isJdkDynamicProxy(bean)
                            ? "is in none of the interfaces by which the bean is proxied"
                            : "is private, but the bean is proxied by a subclass");
        }
    }

    @Override
    public void write(Batch<Object> batch) throws Throwable {
        @Nullable Object[] arguments = new Object[parameters.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(parameters.get(i), batch);
        }
        try {
            method.invoke(beans.getBean(beanName), arguments);
        } catch (InvocationTargetException wrapper) {
            throw wrapper.getTargetException();
        }
    }

    private static Object argument(Class<?> type, Batch<?> batch) {
        if (type == Batch.class) {
            return batch;
        }
        return type == List.class ? batch.values() : batch.transactionId();
    }
}
