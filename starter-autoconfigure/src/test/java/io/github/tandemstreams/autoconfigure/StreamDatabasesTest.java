package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Which DataSource and which transaction manager a stream gets, and which pairs are refused. */
class StreamDatabasesTest {

    private final DataSource one = new DriverManagerDataSource("jdbc:postgresql://localhost:1/one");
    private final DataSource two = new DriverManagerDataSource("jdbc:postgresql://localhost:1/two");

    @Test
    void takesTheOnlyPair() {
        assertThat(names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("manager", PlatformTransactionManager.class, new JdbcTransactionManager(one));
                }))
                .isEqualTo("one manager");
    }

    @Test
    void takesTheManagerThatIsBoundToTheDataSource() {
        assertThat(names("one", null, this::twoOfEach)).isEqualTo("one managerOfOne");
        assertThat(names("two", null, this::twoOfEach)).isEqualTo("two managerOfTwo");
    }

    @Test
    void takesTheDataSourceOfTheManager() {
        assertThat(names(null, "managerOfOne", this::twoOfEach)).isEqualTo("one managerOfOne");
        assertThat(names(null, "managerOfTwo", this::twoOfEach)).isEqualTo("two managerOfTwo");
    }

    @Test
    void takesThePrimaryDataSourceAndItsManagerAlsoIfAnotherManagerIsPrimary() {
        assertThat(names(null, null, beans -> {
                    beans.addPrimary("one", DataSource.class, one);
                    beans.add("two", DataSource.class, two);
                    beans.add("managerOfOne", PlatformTransactionManager.class, new JdbcTransactionManager(one));
                    beans.addPrimary("managerOfTwo", PlatformTransactionManager.class, new JdbcTransactionManager(two));
                }))
                .isEqualTo("one managerOfOne");
    }

    @Test
    void leavesOutDataSourcesThatAreNoDefaultCandidates() {
        assertThat(names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("two", DataSource.class, two, definition -> definition.setDefaultCandidate(false));
                    beans.add("managerOfOne", PlatformTransactionManager.class, new JdbcTransactionManager(one));
                }))
                .isEqualTo("one managerOfOne");
    }

    @Test
    void takesThePrimaryManagerOfSeveralForOneDataSource() {
        assertThat(names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("first", PlatformTransactionManager.class, new JdbcTransactionManager(one));
                    beans.addPrimary("second", PlatformTransactionManager.class, new JdbcTransactionManager(one));
                }))
                .isEqualTo("one second");
    }

    @Test
    void looksUnderWrappersOfTheDataSource() {
        for (DataSource wrapper : new DataSource[] {
            new LazyConnectionDataSourceProxy(two),
            new TransactionAwareDataSourceProxy(two),
            new DelegatingDataSource(new LazyConnectionDataSourceProxy(two)),
            ProxyDataSourceBuilder.create(two).build(),
            (DataSource) new ProxyFactory(two).getProxy()
        }) {
            StreamDatabase database = database("wrapped", null, beans -> {
                beans.add("wrapped", DataSource.class, wrapper);
                twoOfEach(beans);
            });
            assertThat(database.managerName()).isEqualTo("managerOfTwo");
            // What the transaction binds is the manager's object, whatever the bean is.
            assertThat(database.dataSource()).isSameAs(two);
        }
    }

    @Test
    void looksUnderAProxyOfTheManagerAndAtTheDataSourceOfJpa() {
        JpaTransactionManager jpa = new JpaTransactionManager();
        jpa.setEntityManagerFactory(Mockito.mock(EntityManagerFactory.class));
        jpa.setDataSource(one);
        assertThat(names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("jpa", PlatformTransactionManager.class, jpa);
                }))
                .isEqualTo("one jpa");
        assertThat(names("two", null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("two", DataSource.class, two);
                    beans.add("jpa", PlatformTransactionManager.class, jpa);
                    beans.add("proxied", PlatformTransactionManager.class, (PlatformTransactionManager)
                            new ProxyFactory(new JdbcTransactionManager(two)).getProxy());
                }))
                .isEqualTo("two proxied");
    }

    @Test
    void trustsAManagerThatDoesntSayWhatItBinds() {
        assertThat(names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("unknown", PlatformTransactionManager.class, new SilentManager());
                }))
                .isEqualTo("one unknown");
    }

    @Test
    void refusesAPairThatDoesntBelongTogether() {
        assertThatThrownBy(() -> names("one", "managerOfTwo", this::twoOfEach))
                .hasMessageContaining("the transaction manager belongs to the DataSource 'two'");
        assertThatThrownBy(() -> names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.add("kafka", PlatformTransactionManager.class, new KafkaTransactionManager<>(producers()));
                }))
                .hasMessageContaining(
                        "the transaction manager manages no JDBC transactions of it" + " (KafkaTransactionManager).");
    }

    @Test
    void isNotMisledByTheManagerOfKafka() {
        assertThat(names(null, null, beans -> {
                    beans.add("one", DataSource.class, one);
                    beans.addPrimary(
                            "kafka", PlatformTransactionManager.class, new KafkaTransactionManager<>(producers()));
                    beans.add("managerOfOne", PlatformTransactionManager.class, new JdbcTransactionManager(one));
                }))
                .isEqualTo("one managerOfOne");
    }

    @Test
    void findsThePoolUnderWrappers() {
        try (HikariDataSource pool = new HikariDataSource()) {
            assertThat(DataSources.hikari(ProxyDataSourceBuilder.create(new LazyConnectionDataSourceProxy(pool))
                            .build()))
                    .containsSame(pool);
            assertThat(DataSources.hikari(one)).isEmpty();
        }
    }

    private void twoOfEach(Beans beans) {
        beans.add("one", DataSource.class, one);
        beans.add("two", DataSource.class, two);
        beans.add("managerOfOne", PlatformTransactionManager.class, new JdbcTransactionManager(one));
        beans.add("managerOfTwo", PlatformTransactionManager.class, new JdbcTransactionManager(two));
    }

    private static String names(@Nullable String dataSource, @Nullable String manager, Consumer<Beans> beans) {
        StreamDatabase database = database(dataSource, manager, beans);
        return database.dataSourceName() + " " + database.managerName();
    }

    private static StreamDatabase database(
            @Nullable String dataSource, @Nullable String manager, Consumer<Beans> beans) {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            beans.accept(new Beans(context));
            context.refresh();
            return new StreamDatabases(context.getBeanFactory()).of("orders", dataSource, manager);
        }
    }

    private record Beans(GenericApplicationContext context) {

        <T> void add(String name, Class<T> type, T bean) {
            add(name, type, bean, definition -> {});
        }

        <T> void addPrimary(String name, Class<T> type, T bean) {
            add(name, type, bean, definition -> definition.setPrimary(true));
        }

        <T> void add(String name, Class<T> type, T bean, Consumer<AbstractBeanDefinition> customizer) {
            var definition = BeanDefinitionBuilder.genericBeanDefinition(type, () -> bean)
                    .getBeanDefinition();
            customizer.accept(definition);
            context.registerBeanDefinition(name, definition);
        }
    }

    @SuppressWarnings("unchecked")
    private static ProducerFactory<String, String> producers() {
        return (ProducerFactory<String, String>) Proxy.newProxyInstance(
                StreamDatabasesTest.class.getClassLoader(),
                new Class<?>[] {ProducerFactory.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "transactionCapable" -> true;
                    case "hashCode" -> 1;
                    case "toString" -> "producers";
                    default -> null;
                });
    }

    private static final class SilentManager extends AbstractPlatformTransactionManager {
        @Override
        protected Object doGetTransaction() {
            return Map.of();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
