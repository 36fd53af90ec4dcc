package io.github.tandemstreams.benchmarks.report;

import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Results for whoever reads them later. */
public final class JsonFile {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonFile() {}

    public static void write(Path file, Object content) {
        JSON.writeValue(file, content);
    }
}
