package io.github.tandemstreams.engine;

/** Names threads. */
final class Threads {

    private Threads() {}

    static Thread daemon(String name, Runnable runnable) {
        Thread thread = new Thread(runnable, name);
        thread.setDaemon(true);
        return thread;
    }
}
