package io.github.tandemstreams.engine;

import org.jspecify.annotations.Nullable;

/** What the engine itself finds wrong. */
class EngineException extends RuntimeException {

    private final String plain;

    /** @param plain what it is, with nothing in it of what records hold */
    EngineException(String plain) {
        this(plain, "", null);
    }

    /** @param more what else is told where such things may be read */
    EngineException(String plain, String more, @Nullable Throwable cause) {
        super(plain + more, cause);
        this.plain = plain;
    }

    /** The message, without what records hold. */
    String withoutContents() {
        return plain;
    }
}
