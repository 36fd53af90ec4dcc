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

/** A right on a topic or group of the shared broker that nobody has until this is closed. */
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
        AclBinding denial = new AclBinding(resource, everybody(operation, AclPermissionType.DENY));
        AclBinding allRights = new AclBinding(resource, everybody(AclOperation.ALL, AclPermissionType.ALLOW));
        await(KafkaBroker.shared()
                .admin()
                .createAcls(List.of(denial, allRights))
                .all());
        return new Denied(denial);
    }

    private static AccessControlEntry everybody(AclOperation operation, AclPermissionType permission) {
        return new AccessControlEntry("User:*", "*", operation, permission);
    }

    @Override
    public void close() {
        await(KafkaBroker.shared()
                .admin()
                .deleteAcls(List.of(denial.toFilter()))
                .all());
    }
}
