package io.github.tandemstreams.engine;

import static io.github.tandemstreams.test.KafkaBroker.await;

import io.github.tandemstreams.test.KafkaBroker;
import java.util.List;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A topic or group of the shared broker that nobody has any right on until this is closed: where there is an entry at all,
 * what it doesn't allow is denied.
 */
record Denied(AclBinding denial) implements AutoCloseable {

    /** The topic isn't in the metadata. */
    static Denied topic(String topic) {
        return of(new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL), AclOperation.DESCRIBE);
    }

    /** Members are thrown out of the group. */
    static Denied group(String group) {
        return of(new ResourcePattern(ResourceType.GROUP, group, PatternType.LITERAL), AclOperation.READ);
    }

    private static Denied of(ResourcePattern resource, AclOperation operation) {
        AclBinding denial =
                new AclBinding(resource, new AccessControlEntry("User:*", "*", operation, AclPermissionType.DENY));
        await(KafkaBroker.shared().admin().createAcls(List.of(denial)).all());
        return new Denied(denial);
    }

    @Override
    public void close() {
        await(KafkaBroker.shared()
                .admin()
                .deleteAcls(List.of(denial.toFilter()))
                .all());
    }
}
