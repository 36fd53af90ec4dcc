package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.source.RawRecord;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes a batch's span, with a link to each trace that its records come from. They are links and not parents: a batch has
 * many producers. A handful is enough to find them.
 */
final class ProducerLinks implements TracingObservationHandler<BatchObservationContext> {

    /** Before the handler that makes spans of all observations. */
    static final int ORDER = 0;

    private static final int MOST_LINKS = 8;

    /** The header of W3C's Trace Context: version, trace id, span id, flags. */
    private static final String HEADER = "traceparent";

    private static final Pattern TRACE_PARENT =
            Pattern.compile("[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?");

    private final Tracer tracer;

    ProducerLinks(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Id of the trace that an observation is part of; null if it has no span. */
    static @Nullable String traceId(Observation.ContextView context) {
        TracingContext tracing = context.get(TracingContext.class);
        Span span = tracing == null ? null : tracing.getSpan();
        return span == null ? null : span.context().traceId();
    }

    @Override
    public void onStart(BatchObservationContext context) {
        Span.Builder builder = tracer.spanBuilder().kind(Span.Kind.CONSUMER);
        Span parent = getParentSpan(context);
        if (parent == null) {
            builder.setNoParent();
        } else {
            builder.setParent(parent.context());
        }
        traceParents(context.records()).forEach(header -> link(builder, header));
        getTracingContext(context).setSpan(builder.start());
    }

    @Override
    public void onStop(BatchObservationContext context) {
        Span span = getRequiredSpan(context);
        span.name(getSpanName(context));
        tagSpan(context, span);
        endSpan(context, span);
    }

    private static Set<String> traceParents(List<RawRecord> records) {
        Set<String> found = new LinkedHashSet<>();
        for (RawRecord record : records) {
            for (RecordHeader header : record.headers()) {
                byte[] value = header.value();
                if (value != null && header.name().equals(HEADER)) {
                    found.add(new String(value, StandardCharsets.US_ASCII));
                }
            }
            if (found.size() >= MOST_LINKS) {
                break;
            }
        }
        return found;
    }

    private void link(Span.Builder builder, String header) {
        Matcher parts = TRACE_PARENT.matcher(header);
        if (parts.matches()) {
            TraceContext producer = tracer.traceContextBuilder()
                    .traceId(parts.group(1))
                    .spanId(parts.group(2))
                    .sampled((Integer.parseInt(parts.group(3), 16) & 1) == 1)
                    .build();
            builder.addLink(new Link(producer));
        }
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof BatchObservationContext;
    }
}
