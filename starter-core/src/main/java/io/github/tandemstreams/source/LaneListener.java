package io.github.tandemstreams.source;

/**
 * Hears which lanes come and go.
 *
 * <p>Threading: called on the source's thread only; implementations return at once and never wait for the database.
 */
public interface LaneListener {

    /**
     * A lane was assigned to this instance. Nothing may be read of it before its intake asks for a seek.
     *
     * @return where its records go. Each assignment has an intake of its own, so that what belongs to an older one can't
     *     be taken for the present one's
     */
    LaneIntake assigned(String lane);

    /** The lane was revoked or lost. Called for a lane that isn't assigned, it does nothing. */
    void revoked(String lane);

    /** The source found a condition that needs a person, such as missing rights; it goes on trying. */
    void troubled(String problem);

    /** The source works again. */
    void recovered();
}
