package io.github.tandemstreams.engine;

/** Records that ran in one trial failed in the next one: the failure isn't one of records. */
final class FickleHandlerException extends EngineException {

    FickleHandlerException(Lane lane, Throwable cause) {
        super(lane.id + ": records that ran in one trial failed in the next one, so no record is to blame", "", cause);
    }
}
