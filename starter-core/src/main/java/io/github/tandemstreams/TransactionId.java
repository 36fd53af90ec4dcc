package io.github.tandemstreams;

/**
 * Identity of a batch for sinks outside the database: store it with the effect, and skip a batch whose version is not
 * above the stored one. Within one application id, a version has one offset range for ever, in every replay.
 *
 * <p>The pair is what Delta Lake calls {@code txnAppId} and {@code txnVersion}.
 *
 * @param applicationId stream, lane and generation, as {@code stream/lane/generation}
 * @param version the batch id; grows by one for each batch of the lane
 */
public record TransactionId(String applicationId, long version) {

    @Override
    public String toString() {
        return applicationId + "@" + version;
    }
}
