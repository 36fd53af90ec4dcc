package io.github.tandemstreams.torture.app;

import java.nio.charset.StandardCharsets;
import org.springframework.util.DigestUtils;

/** A hash over records in their order; it also counts them. */
public record Chain(long length, String hash) {

    /** Before the first record. */
    public static final Chain START = new Chain(0, "");

    /** The chain with one more record. */
    public Chain with(long offset, String key) {
        String link = hash + "|" + offset + "|" + key;
        return new Chain(length + 1, DigestUtils.md5DigestAsHex(link.getBytes(StandardCharsets.UTF_8)));
    }
}
