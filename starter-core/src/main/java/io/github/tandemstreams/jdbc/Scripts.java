package io.github.tandemstreams.jdbc;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/** The migrations by their names. Flyway would look into their folder, which a native image doesn't have. */
final class Scripts implements ResourceProvider {

    static final String FOLDER = "db/tandem/";

    static final List<String> NAMES = List.of("V1__checkpoint.sql", "V2__operator_command.sql", "V3__progress.sql");

    /** Settings that a script could have beside it; ours have none. */
    @Override
    public @Nullable LoadableResource getResource(String name) {
        return null;
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
        return NAMES.stream()
                .filter(name ->
                        name.startsWith(prefix) && Arrays.stream(suffixes).anyMatch(name::endsWith))
                .<LoadableResource>map(Script::new)
                .toList();
    }

    private static final class Script extends LoadableResource {

        private final String name;

        Script(String name) {
            this.name = name;
        }

        @Override
        public Reader read() {
            InputStream bytes = Scripts.class.getClassLoader().getResourceAsStream(getAbsolutePath());
            return new InputStreamReader(Objects.requireNonNull(bytes, getAbsolutePath()), StandardCharsets.UTF_8);
        }

        @Override
        public String getAbsolutePath() {
            return FOLDER + name;
        }

        @Override
        public String getAbsolutePathOnDisk() {
            return getAbsolutePath();
        }

        @Override
        public String getFilename() {
            return name;
        }

        @Override
        public String getRelativePath() {
            return name;
        }
    }
}
