package io.github.tandemstreams.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The application is put together in a way that can't keep the promise, or can't work. Found while it starts; Spring Boot
 * prints the description and the action.
 */
public final class TandemConfigurationException extends RuntimeException {

    private final String description;
    private final String action;

    TandemConfigurationException(String description, String action) {
        this(description, action, null);
    }

    TandemConfigurationException(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    /** What is wrong. */
    public String description() {
        return description;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
