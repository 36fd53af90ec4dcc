package io.github.tandemstreams.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ClassUtils;

/** What would take a handler's writes out of the batch's transaction, and can be told before it runs. */
final class HandlerChecks {

    private static final Set<String> NOTHING = Set.of("void", "java.lang.Void", "kotlin.Unit");

    /** By name: none of them needs to be on the class path. */
    private static final Set<String> ASYNCHRONOUS =
            Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.Job", "kotlinx.coroutines.flow.Flow");

    private HandlerChecks() {}

    /** Refuses a handler that returns before its work is done, or returns something that nobody would look at. */
    static void requireSynchronous(Handler handler) {
        Method method = handler.method();
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)) {
            throw HandlerMistakes.asynchronous(handler, "it is @Async");
        }
        if (AnnotatedElementUtils.hasAnnotation(handler.beanType(), Async.class)) {
            throw HandlerMistakes.asynchronous(handler, "its class is @Async");
        }
        if (isSuspending(method)) {
            throw HandlerMistakes.asynchronous(handler, "it is a suspending function");
        }
        Class<?> returned = method.getReturnType();
        if (isAsynchronous(returned)) {
            throw HandlerMistakes.asynchronous(handler, "it returns a " + returned.getSimpleName());
        }
        if (!NOTHING.contains(returned.getName())) {
            throw HandlerMistakes.unsuitable(handler, "it returns a " + returned.getSimpleName());
        }
        if (Modifier.isStatic(method.getModifiers())) {
            throw HandlerMistakes.unsuitable(handler, "it is static");
        }
    }

    /**
     * Refuses a handler whose proxy hands the call to another thread, whichever annotation or configuration asks for that.
     *
     * @param bean the handler's, with its proxy
     */
    static void requireCallingThread(Handler handler, Object bean) {
        if (bean instanceof Advised proxy
                && Arrays.stream(proxy.getAdvisors())
                        .anyMatch(advisor -> advisor.getAdvice() instanceof AsyncExecutionInterceptor
                                && applies(advisor, handler))) {
            throw HandlerMistakes.asynchronous(handler, "its proxy runs it in another thread");
        }
    }

    private static boolean applies(Advisor advisor, Handler handler) {
        if (advisor instanceof PointcutAdvisor some) {
            Pointcut pointcut = some.getPointcut();
            return pointcut.getClassFilter().matches(handler.beanType())
                    && pointcut.getMethodMatcher().matches(handler.method(), handler.beanType());
        }
        return true;
    }

    private static boolean isSuspending(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> type.getName().equals("kotlin.coroutines.Continuation"));
    }

    private static boolean isAsynchronous(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(implemented -> ASYNCHRONOUS.contains(implemented.getName()));
    }

    /** Refuses a handler whose own {@code @Transactional} leaves the batch's transaction. */
    static void requireJoins(Handler handler, String transactionManager, ConfigurableListableBeanFactory beans) {
        TransactionAttribute attribute = new AnnotationTransactionAttributeSource(false)
                .getTransactionAttribute(handler.method(), handler.beanType());
        if (attribute == null) {
            return;
        }
        String leaves = leaving(attribute.getPropagationBehavior());
        if (leaves != null) {
            throw HandlerMistakes.leavesTransaction(handler, leaves);
        }
        String qualifier = attribute.getQualifier();
        String manager = qualifier == null ? null : beans.resolveEmbeddedValue(qualifier);
        if (manager != null
                && !manager.isBlank()
                && !BeanFactoryAnnotationUtils.isQualifierMatch(manager::equals, transactionManager, beans)) {
            throw HandlerMistakes.otherManager(handler, manager, transactionManager);
        }
    }

    private static @Nullable String leaving(int propagation) {
        return switch (propagation) {
            case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> "REQUIRES_NEW";
            case TransactionDefinition.PROPAGATION_NOT_SUPPORTED -> "NOT_SUPPORTED";
            case TransactionDefinition.PROPAGATION_NEVER -> "NEVER";
            default -> null;
        };
    }
}
