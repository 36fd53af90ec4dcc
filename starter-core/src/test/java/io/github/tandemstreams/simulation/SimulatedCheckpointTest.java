package io.github.tandemstreams.simulation;

import io.github.tandemstreams.checkpoint.CheckpointContract;

class SimulatedCheckpointTest extends CheckpointContract {

    SimulatedCheckpointTest() {
        super(new SimulatedStore());
    }
}
