package io.github.tandemstreams.sample;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** The topic, and how far it goes. */
@Configuration(proxyBeanMethods = false)
class FlightTopic {

    static final String NAME = "flights";

    @Bean
    NewTopic flights(SampleProperties properties) {
        return TopicBuilder.name(NAME).partitions(properties.partitions()).build();
    }

    /** The end of each partition's log now, by lane. */
    static Map<String, Long> ends(KafkaAdmin kafka) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(kafka.getConfigurationProperties())) {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            for (TopicDescription topic :
                    admin.describeTopics(List.of(NAME)).allTopicNames().get().values()) {
                topic.partitions()
                        .forEach(info -> latest.put(new TopicPartition(NAME, info.partition()), OffsetSpec.latest()));
            }
            Map<String, Long> ends = new HashMap<>();
            admin.listOffsets(latest)
                    .all()
                    .get()
                    .forEach((partition, end) -> ends.put(partition.toString(), end.offset()));
            return ends;
        }
    }
}
