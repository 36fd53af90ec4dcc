package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.CheckpointContract;

class JdbcCheckpointContractTest extends CheckpointContract {

    JdbcCheckpointContractTest() {
        super(new CheckpointFixture());
    }
}
