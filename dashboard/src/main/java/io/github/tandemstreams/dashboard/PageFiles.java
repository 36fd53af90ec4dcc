package io.github.tandemstreams.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The page, its style and its scripts. Read once; immutable after that. */
final class PageFiles {

    private static final String OWN = "classpath:io/github/tandemstreams/dashboard/page/";
    private static final String CHARTS = "classpath*:META-INF/resources/webjars/uplot/*/dist/";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=UTF-8",
            "css", "text/css;charset=UTF-8",
            "js", "text/javascript;charset=UTF-8",
            "svg", "image/svg+xml");

    private record PageFile(String type, byte[] content, String tag) {}

    private final Map<String, PageFile> files = new HashMap<>();

    PageFiles() {
        PathMatchingResourcePatternResolver resources =
                new PathMatchingResourcePatternResolver(PageFiles.class.getClassLoader());
        add(resources, OWN + "*.*");
        add(resources, CHARTS + "uPlot.esm.js");
        add(resources, CHARTS + "uPlot.min.css");
        if (!files.containsKey("index.html") || !files.containsKey("uPlot.esm.js")) {
            throw new IllegalStateException("The dashboard's files aren't on the class path: " + files.keySet());
        }
    }

    /** A file, or 304 for who has it already. Always asked again: so page and API are of the same release. */
    Optional<DashboardResponse> find(String name, DashboardRequest request) {
        return Optional.ofNullable(files.get(name.isEmpty() ? "index.html" : name))
                .map(file -> {
                    boolean known = file.tag.equals(request.headers().get("If-None-Match"));
                    return DashboardResponse.of(
                                    known ? 304 : 200, file.type, "no-cache", known ? new byte[0] : file.content)
                            .with("ETag", file.tag);
                });
    }

    private void add(PathMatchingResourcePatternResolver resources, String pattern) {
        try {
            for (Resource resource : resources.getResources(pattern)) {
                String name = resource.getFilename();
                if (name != null) {
                    files.put(name, read(name, resource));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("The dashboard's files can't be read", failure);
        }
    }

    private static PageFile read(String name, Resource resource) throws IOException {
        try (InputStream stream = resource.getInputStream()) {
            byte[] content = stream.readAllBytes();
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
            return new PageFile(type, content, tag(content));
        }
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(digest, 0, 12) + '"';
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
