package io.github.tandemstreams.autoconfigure;

import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Where a stream's writes and its checkpoint go.
 *
 * @param dataSourceName bean name of the DataSource
 * @param dataSource the DataSource that the transaction manager binds connections of
 * @param managerName bean name of the transaction manager
 * @param manager the transaction manager
 */
record StreamDatabase(
        String dataSourceName, DataSource dataSource, String managerName, PlatformTransactionManager manager) {}
