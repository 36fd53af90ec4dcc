package io.github.tandemstreams.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** What is under the wrappers that applications put around DataSources and transaction managers. */
final class DataSources {

    static final String HIKARI_CLASS = "com.zaxxer.hikari.HikariDataSource";

    /** Transaction managers whose DataSource only {@link #GETTER} tells: their resource is something else. */
    static final List<String> MANAGERS_OF_ORM = List.of(
            "org.springframework.orm.jpa.JpaTransactionManager",
            "org.springframework.orm.jpa.hibernate.HibernateTransactionManager");

    static final String GETTER = "getDataSource";

    private static final boolean HIKARI = ClassUtils.isPresent(HIKARI_CLASS, DataSources.class.getClassLoader());

    private DataSources() {}

    /** Whether both lead to the same pool: lazy, transaction-aware and observing wrappers don't count. */
    static boolean same(DataSource one, DataSource other) {
        DataSource pool = pool(one);
        DataSource otherPool = pool(other);
        return pool == otherPool
                || as(otherPool.getClass(), pool).filter(otherPool::equals).isPresent()
                || as(pool.getClass(), otherPool).filter(pool::equals).isPresent();
    }

    /** The pool under all wrappers, or whatever is in its place. */
    static DataSource pool(DataSource dataSource) {
        DataSource inner = inner(dataSource);
        return inner == dataSource ? dataSource : pool(inner);
    }

    private static DataSource inner(DataSource dataSource) {
        if (AopProxyUtils.getSingletonTarget(dataSource) instanceof DataSource target) {
            return target;
        }
        if (dataSource instanceof DelegatingDataSource delegating) {
            DataSource target = delegating.getTargetDataSource();
            return target == null ? dataSource : target;
        }
        try {
            // A pool answers with itself. Some drivers answer with null, whatever the contract says.
            @Nullable DataSource unwrapped = dataSource.unwrap(DataSource.class);
            return unwrapped == null ? dataSource : unwrapped;
        } catch (SQLException isNoWrapper) {
            return dataSource;
        }
    }

    /** The Hikari pool, if that is what is under the wrappers. */
    static Optional<HikariDataSource> hikari(DataSource dataSource) {
        return HIKARI ? as(HikariDataSource.class, pool(dataSource)) : Optional.empty();
    }

    /** Some wrappers say that they are the DataSource, and show what they wrap only to those who know its class. */
    private static <T> Optional<T> as(Class<T> type, DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(type) ? Optional.ofNullable(dataSource.unwrap(type)) : Optional.empty();
        } catch (SQLException isNoWrapper) {
            return Optional.empty();
        }
    }

    /**
     * What a transaction manager binds to the thread. For {@code DataSourceTransactionManager},
     * {@code JpaTransactionManager} and their like the DataSource whose connections it binds.
     *
     * @return null if it doesn't say, as a JTA manager
     */
    static @Nullable Object resource(PlatformTransactionManager manager) {
        Object target = AopProxyUtils.getSingletonTarget(manager);
        Object actual = target == null ? manager : target;
        // JpaTransactionManager names its EntityManagerFactory as its resource; asked by name, since spring-orm is
        // optional.
        Method getter = ClassUtils.getMethodIfAvailable(actual.getClass(), GETTER);
        if (getter != null && DataSource.class.isAssignableFrom(getter.getReturnType())) {
            Object dataSource = ReflectionUtils.invokeMethod(getter, actual);
            if (dataSource != null) {
                return dataSource;
            }
        }
        if (actual instanceof KafkaAwareTransactionManager<?, ?> kafka) {
            return kafka.getProducerFactory();
        }
        return actual instanceof ResourceTransactionManager bound ? bound.getResourceFactory() : null;
    }
}
