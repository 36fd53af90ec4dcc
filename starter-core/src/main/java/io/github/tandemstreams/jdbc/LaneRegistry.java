package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which streams, topics and lanes exist. Called in transactions of our own. */
final class LaneRegistry {

    private final JdbcTemplate jdbc;
    private final LaneSql sql;

    LaneRegistry(JdbcTemplate jdbc, LaneSql sql) {
        this.jdbc = jdbc;
        this.sql = sql;
    }

    Set<String> topics(String stream) {
        return new HashSet<>(jdbc.queryForList(sql.topics, String.class, stream));
    }

    Map<String, String> settle(String stream, Map<String, String> settings) {
        jdbc.update(sql.addStream, stream);
        return Json.settings(
                Objects.requireNonNull(jdbc.queryForObject(sql.settle, String.class, Json.of(settings), stream)));
    }

    /**
     * <pre>
     *   add the stream's row, if it isn't there
     *   lock it: of several instances one goes on, the others wait for its commit and see its topics
     *   for the topics that aren't there yet: add the lanes, add the topics
     * </pre>
     */
    Set<String> register(String stream, Collection<String> topics, Map<String, LaneStart> lanes) {
        jdbc.update(sql.addStream, stream);
        Set<String> added = new TreeSet<>(topics);
        jdbc.queryForList(sql.lockStream, String.class, stream).forEach(added::remove);
        if (!added.isEmpty()) {
            Map<String, LaneStart> addedLanes = new TreeMap<>(lanes);
            addedLanes.values().removeIf(start -> !added.contains(start.topic()));
            add(stream, addedLanes);
            jdbc.update(sql.addTopics, statement -> {
                statement.setArray(1, statement.getConnection().createArrayOf("text", added.toArray()));
                statement.setString(2, stream);
            });
        }
        return added;
    }

    int add(String stream, Map<String, LaneStart> lanes) {
        return jdbc.update(
                sql.addLanes.of(lanes.size()),
                Columns.of(lanes.entrySet())
                        .text(entry -> stream)
                        .text(Map.Entry::getKey)
                        .text(entry -> Json.of(entry.getValue().position()))
                        .text(entry -> entry.getValue().topicId()));
    }

    Optional<Offsets> position(LaneId lane) {
        return jdbc.queryForList(sql.position, String.class, lane.stream(), lane.lane()).stream()
                .map(Json::offsets)
                .findFirst();
    }
}
