package io.github.tandemstreams.autoconfigure;

import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Finds the DataSource and the transaction manager of a stream, and makes sure that they belong together.
 *
 * <pre>
 *   the DataSource       by its configured name
 *                        else the one of the configured transaction manager
 *                        else the only one, or the primary one
 *   the transaction      by its configured name
 *   manager              else the one that is bound to the DataSource
 *                        else the only one, or the primary one, if it doesn't say what it is bound to
 * </pre>
 */
final class StreamDatabases {

    private final ConfigurableListableBeanFactory beans;

    StreamDatabases(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The database of a stream.
     *
     * @throws TandemConfigurationException if there is none, or more than one, or if the two don't belong together
     */
    StreamDatabase of(String stream, @Nullable String dataSourceName, @Nullable String managerName) {
        Named<PlatformTransactionManager> named = managerName == null ? null : named(stream, managerName, Kind.MANAGER);
        Named<DataSource> dataSource = dataSource(stream, dataSourceName, named);
        Named<PlatformTransactionManager> manager = named == null ? manager(stream, dataSource) : named;
        @Nullable Object resource = DataSources.resource(manager.bean());
        if (!mayBind(resource, dataSource)) {
            throw DatabaseMistakes.mismatch(
                    stream, dataSource.name(), manager.name(), manager.bean().getClass(), nameOf(resource));
        }
        // A transaction binds connections of the manager's own object, which may be wrapped in another way than the
        // bean.
        return new StreamDatabase(
                dataSource.name(),
                resource instanceof DataSource bound ? bound : dataSource.bean(),
                manager.name(),
                manager.bean());
    }

    private Named<DataSource> dataSource(
            String stream, @Nullable String name, @Nullable Named<PlatformTransactionManager> manager) {
        if (name != null) {
            return named(stream, name, Kind.DATA_SOURCE);
        }
        if (manager != null && DataSources.resource(manager.bean()) instanceof DataSource bound) {
            return all(Kind.DATA_SOURCE).stream()
                    .filter(candidate -> DataSources.same(candidate.bean(), bound))
                    .findFirst()
                    .orElseGet(() -> new Named<>(manager.name() + ".dataSource", bound));
        }
        return only(stream, Kind.DATA_SOURCE);
    }

    private Named<PlatformTransactionManager> manager(String stream, Named<DataSource> dataSource) {
        List<Named<PlatformTransactionManager>> bound = all(Kind.MANAGER).stream()
                .filter(manager -> DataSources.resource(manager.bean()) instanceof DataSource other
                        && DataSources.same(other, dataSource.bean()))
                .toList();
        if (bound.isEmpty()) {
            return only(stream, Kind.MANAGER);
        }
        return bound.size() == 1 ? bound.get(0) : primary(stream, bound);
    }

    private Named<PlatformTransactionManager> primary(String stream, List<Named<PlatformTransactionManager>> bound) {
        List<Named<PlatformTransactionManager>> primary = bound.stream()
                .filter(manager -> beans.containsBeanDefinition(manager.name())
                        && beans.getBeanDefinition(manager.name()).isPrimary())
                .toList();
        if (primary.size() != 1) {
            throw DatabaseMistakes.ambiguous(
                    stream, Kind.MANAGER, bound.stream().map(Named::name).toList());
        }
        return primary.get(0);
    }

    /** A manager that doesn't say what it binds has the benefit of the doubt; the engine looks again in every batch. */
    private static boolean mayBind(@Nullable Object resource, Named<DataSource> dataSource) {
        return resource == null || (resource instanceof DataSource bound && DataSources.same(bound, dataSource.bean()));
    }

    private @Nullable String nameOf(@Nullable Object resource) {
        return all(Kind.DATA_SOURCE).stream()
                .filter(candidate -> resource instanceof DataSource bound && DataSources.same(candidate.bean(), bound))
                .map(Named::name)
                .findFirst()
                .orElse(null);
    }

    private <T> Named<T> named(String stream, String name, Kind<T> kind) {
        try {
            return new Named<>(name, beans.getBean(name, kind.type()));
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException missing) {
            throw DatabaseMistakes.noBean(
                    stream, kind, name, all(kind).stream().map(Named::name).toList());
        }
    }

    private <T> Named<T> only(String stream, Kind<T> kind) {
        try {
            NamedBeanHolder<T> holder = beans.resolveNamedBean(kind.type());
            return new Named<>(holder.getBeanName(), holder.getBeanInstance());
        } catch (NoUniqueBeanDefinitionException several) {
            throw DatabaseMistakes.ambiguous(
                    stream, kind, all(kind).stream().map(Named::name).toList());
        } catch (NoSuchBeanDefinitionException none) {
            throw DatabaseMistakes.none(stream, kind);
        }
    }

    private <T> List<Named<T>> all(Kind<T> kind) {
        return Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, kind.type()))
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .map(name -> new Named<>(name, beans.getBean(name, kind.type())))
                .toList();
    }

    private record Named<T>(String name, T bean) {}

    /** What is looked for, and how it is called in messages and properties. */
    record Kind<T>(Class<T> type, String noun, String property) {

        static final Kind<DataSource> DATA_SOURCE = new Kind<>(DataSource.class, "DataSource", "data-source");
        static final Kind<PlatformTransactionManager> MANAGER =
                new Kind<>(PlatformTransactionManager.class, "transaction manager", "transaction-manager");
    }
}
