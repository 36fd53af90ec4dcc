package io.github.tandemstreams.torture.input;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the producers were told about their records. A record of which it isn't known whether it is there stands in neither
 * of the two groups: the topic tells.
 *
 * <p>Threading: safe for use by several threads.
 */
public final class Journal {

    private static final int AT_MOST = 10;

    /** Where a record is. */
    public record Place(int partition, long offset) {}

    private final Map<String, Place> acknowledged = new HashMap<>();
    private final Set<String> aborted = new HashSet<>();
    private long unknown;
    private long aborts;
    private long commits;

    synchronized void acknowledged(String id, int partition, long offset) {
        acknowledged.put(id, new Place(partition, offset));
    }

    synchronized void unknown(int records) {
        unknown += records;
    }

    /** The records of a transaction that wasn't asked to commit. */
    synchronized void aborted(List<String> ids) {
        aborted.addAll(ids);
        aborts++;
    }

    synchronized void committed() {
        commits++;
    }

    /** Records that are known to be there. */
    public synchronized long acknowledged() {
        return acknowledged.size();
    }

    /** Records of which the producer doesn't know whether they are there. */
    public synchronized long unknown() {
        return unknown;
    }

    /** Kafka transactions that were aborted. */
    public synchronized long aborts() {
        return aborts;
    }

    /** Kafka transactions that were committed. */
    public synchronized long commits() {
        return commits;
    }

    /** Where the topic contradicts what the producers were told: then the broker is at fault, or the harness. */
    public synchronized List<String> contradictions(List<Visible> topic) {
        List<String> found = new ArrayList<>();
        Map<String, Place> places = new HashMap<>();
        for (Visible record : topic) {
            Place place = new Place(record.partition(), record.offset());
            if (places.put(record.message().id(), place) != null) {
                found.add("topic: record " + record.message().id() + " is there twice");
            }
        }
        acknowledged.forEach((id, place) -> {
            if (!place.equals(places.get(id))) {
                found.add("topic: record " + id + " was acknowledged at " + place + " and is at " + places.get(id));
            }
        });
        places.keySet().stream()
                .filter(aborted::contains)
                .forEach(id -> found.add("topic: record " + id + " was aborted and is there"));
        return found.subList(0, Math.min(AT_MOST, found.size()));
    }
}
