package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.TransactionId;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.MapPropertySource;

/** Handlers are found on beans of all kinds, once, and called through the bean. */
class HandlerDiscoveryTest {

    @Test
    void findsAPackagePrivateMethodOfAPackagePrivateClass() {
        assertThat(received(context -> context.register(Plain.class), "a")).containsExactly("[a]");
    }

    @Test
    @Tag("J1")
    void callsThroughASubclassProxySoThatAdviceApplies() {
        assertThat(received(
                        context -> {
                            context.register(Plain.class);
                            context.register(ProxyByClass.class);
                        },
                        "a"))
                .containsExactly("advice", "[a]");
    }

    @Test
    void callsThroughAnInterfaceProxySoThatAdviceApplies() {
        assertThat(received(
                        context -> {
                            context.register(ByInterface.class);
                            context.register(ProxyByInterface.class);
                        },
                        "a"))
                .containsExactly("advice", "[a]");
    }

    @Test
    void findsTheClassBehindAProxyThatAFactoryMethodMade() {
        assertThat(received(context -> context.register(HandMadeProxy.class), "a"))
                .containsExactly("advice", "[a]");
    }

    @Test
    void findsAnAnnotationThatAnInterfaceDeclares() {
        assertThat(received(context -> context.register(DeclaredByInterface.class), "a"))
                .containsExactly("[a]");
    }

    @Test
    void findsAnInheritedMethodWithItsTypeBoundByTheSubclassOnceInSpiteOfBridges() {
        assertThat(received(context -> context.register(BindsAndOverrides.class), "a"))
                .containsExactly("[a]");
        assertThat(received(context -> context.register(BindsOnly.class), "a")).containsExactly("[a]");
    }

    @Test
    void findsAnAnnotationThatCarriesTheAnnotation() {
        assertThat(received(context -> context.register(MetaAnnotated.class), "a"))
                .containsExactly("[a]");
    }

    @Test
    void findsAScopedProxyOnce() {
        assertThat(received(context -> context.register(ScopedHandler.class), "a"))
                .containsExactly("[a]");
    }

    @Test
    void findsALazyBean() {
        assertThat(received(context -> context.register(LazyHandler.class), "a"))
                .containsExactly("[a]");
    }

    @Test
    void findsAMethodOfAConfigurationClass() {
        assertThat(received(context -> context.register(Config.class), "a")).containsExactly("[a]");
    }

    @Test
    void findsTheClassOfABeanThatIsDeclaredAsAnInterface() {
        assertThat(received(context -> context.register(DeclaredAsInterface.class), "a"))
                .containsExactly("[a]");
    }

    @Test
    void resolvesAPlaceholderInTheStreamsName() {
        try (AnnotationConfigApplicationContext context = context(it -> it.register(Placeholder.class))) {
            assertThat(handlers(context)).extracting(Handler::stream).containsExactly("orders-eu");
        }
    }

    @Test
    void givesArgumentsInAnyOrder() {
        assertThat(received(context -> context.register(IdFirst.class), "a"))
                .containsExactly("orders/orders-0/0@7 [a]");
    }

    @Test
    void rethrowsTheHandlersOwnException() {
        try (AnnotationConfigApplicationContext context = context(it -> it.register(Throwing.class))) {
            HandlerSink sink = sink(context);
            assertThatThrownBy(() -> sink.write(TestBatch.of("a"))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void refusesAMethodThatTheProxyCantPassOn() {
        assertThatThrownBy(() -> received(
                        context -> {
                            context.register(FinalMethod.class);
                            context.register(ProxyByClass.class);
                        },
                        "a"))
                .hasMessageContaining(
                        "FinalMethod.handle(Batch) of bean 'handler' of stream 'orders' can't be called: the method is"
                                + " final, but the bean is proxied by a subclass.");
        assertThatThrownBy(() -> received(
                        context -> {
                            context.register(NotInInterface.class);
                            context.register(ProxyByInterface.class);
                        },
                        "a"))
                .hasMessageContaining("the method is in none of the interfaces by which the bean is proxied.");
        assertThatThrownBy(() -> received(
                        context -> {
                            context.register(PrivateMethod.class);
                            context.register(ProxyByClass.class);
                        },
                        "a"))
                .hasMessageContaining("the method is private, but the bean is proxied by a subclass.");
    }

    // ---- what is registered

    private static final List<String> RECEIVED = new ArrayList<>();

    private static List<String> received(Consumer<AnnotationConfigApplicationContext> beans, Object... values) {
        RECEIVED.clear();
        try (AnnotationConfigApplicationContext context = context(beans)) {
            sink(context).write(TestBatch.of(values));
            return List.copyOf(RECEIVED);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
    }

    private static AnnotationConfigApplicationContext context(Consumer<AnnotationConfigApplicationContext> beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("region", "eu")));
        context.setBeanNameGenerator((definition, registry) ->
                definition.getBeanClassName().contains("Proxy") ? definition.getBeanClassName() : "handler");
        beans.accept(context);
        context.refresh();
        return context;
    }

    private static List<Handler> handlers(AnnotationConfigApplicationContext context) {
        return new HandlerDiscovery(context.getBeanFactory()).find();
    }

    private static HandlerSink sink(AnnotationConfigApplicationContext context) {
        assertThat(handlers(context)).hasSize(1);
        Handler handler = handlers(context).get(0);
        HandlerSignature signature = HandlerSignature.of(handler);
        assertThat(signature.value()).isEqualTo(String.class);
        return HandlerSink.of(handler, signature, context.getBeanFactory());
    }

    static class Plain {
        private final List<String> received = RECEIVED; // null in a proxy's own fields

        @ForeachBatch("orders")
        void handle(Batch<String> batch) {
            received.add(batch.values().toString());
        }
    }

    static class ProxyByClass extends BeanNameAutoProxyCreator {
        ProxyByClass() {
            setBeanNames("handler");
            setProxyTargetClass(true);
            setInterceptorNames("advice");
        }

        @Bean
        static MethodInterceptor advice() {
            return invocation -> {
                RECEIVED.add("advice");
                return invocation.proceed();
            };
        }
    }

    static class ProxyByInterface extends ProxyByClass {
        ProxyByInterface() {
            setProxyTargetClass(false);
        }
    }

    interface Handles {
        void handle(List<String> values);
    }

    static class ByInterface implements Handles {
        @Override
        @ForeachBatch("orders")
        public void handle(List<String> values) {
            RECEIVED.add(values.toString());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class HandMadeProxy {
        @Bean
        Handles handMade() {
            ProxyFactory factory = new ProxyFactory(new ByInterface());
            factory.addAdvice(ProxyByClass.advice());
            Object proxy = factory.getProxy();
            assertThat(Proxy.isProxyClass(proxy.getClass())).isTrue();
            return (Handles) proxy;
        }
    }

    interface Declares {
        @ForeachBatch("orders")
        void handle(List<String> values);
    }

    static class DeclaredByInterface implements Declares {
        @Override
        public void handle(List<String> values) {
            RECEIVED.add(values.toString());
        }
    }

    abstract static class Base<T> {
        @ForeachBatch("orders")
        public void handle(List<? extends T> values) {
            RECEIVED.add(values.toString());
        }
    }

    static class BindsOnly extends Base<String> {}

    static class BindsAndOverrides extends Base<String> implements java.util.Comparator<String> {
        @Override
        public void handle(List<? extends String> values) {
            super.handle(values);
        }

        @Override
        public int compare(String one, String other) {
            return 0;
        }
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ForeachBatch("orders")
    @interface OnOrders {}

    static class MetaAnnotated {
        @OnOrders
        void handle(List<String> values) {
            RECEIVED.add(values.toString());
        }
    }

    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedHandler extends Plain {}

    @Lazy
    static class LazyHandler extends Plain {}

    @Configuration
    static class Config {
        @Bean
        String somethingElse() {
            return "";
        }

        @ForeachBatch("orders")
        void handle(List<String> values) {
            assertThat(AopUtils.isAopProxy(this)).isFalse();
            RECEIVED.add(values.toString());
        }
    }

    @Configuration
    static class DeclaredAsInterface {
        @Bean
        Handles declaredAsInterface() {
            return new ByInterface();
        }

        @Bean
        static BeanPostProcessor unrelated() {
            return new BeanPostProcessor() {};
        }
    }

    static class Placeholder {
        @ForeachBatch("orders-${region}")
        void handle(List<String> values) {}
    }

    static class IdFirst {
        @ForeachBatch("orders")
        void handle(TransactionId id, Batch<String> batch) {
            RECEIVED.add(id + " " + batch.values());
        }
    }

    static class Throwing {
        @ForeachBatch("orders")
        void handle(List<String> values) throws IOException {
            throw new IOException("disk full");
        }
    }

    static class FinalMethod {
        @ForeachBatch("orders")
        final void handle(Batch<String> batch) {}
    }

    static class NotInInterface implements Runnable {
        @ForeachBatch("orders")
        public void handle(Batch<String> batch) {}

        @Override
        public void run() {}
    }

    @SuppressWarnings("unused")
    static class PrivateMethod {
        @ForeachBatch("orders")
        private void handle(Batch<String> batch) {}
    }
}
