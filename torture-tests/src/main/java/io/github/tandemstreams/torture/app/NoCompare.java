package io.github.tandemstreams.torture.app;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A planted fault: the statements that plan and commit batches lose their compare of epoch, owner, last batch and position,
 * all four. Whether the torture finds what an engine does without it, tells whether the torture is worth anything.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "torture.plant", havingValue = "no-compare")
class NoCompare {

    /** What the log says when it took effect. */
    static final String PLANTED = "Planted: a statement without compare";

    private static final Logger log = LoggerFactory.getLogger(NoCompare.class);

    private static final Pattern WRITES_LOGS = Pattern.compile("insert\\s+into\\s+\\S*(offset_log|commit_log)");

    private static final Pattern COMPARE =
            Pattern.compile("\\s+and\\s+\\(l\\.epoch,[^)]*\\)\\s*=\\s*\\(m\\.epoch,[^)]*\\)");

    @Bean
    static BeanPostProcessor withoutCompare() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource dataSource
                        ? new RewritingDataSource(dataSource, NoCompare::without)
                        : bean;
            }
        };
    }

    static String without(String sql) {
        Matcher compare = COMPARE.matcher(sql);
        if (!WRITES_LOGS.matcher(sql).find() || !compare.find()) {
            return sql;
        }
        log.debug(PLANTED);
        return compare.replaceAll("");
    }
}
