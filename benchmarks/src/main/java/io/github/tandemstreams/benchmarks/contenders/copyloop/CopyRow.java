package io.github.tandemstreams.benchmarks.contenders.copyloop;

/** Rows in COPY's text format. */
final class CopyRow {

    private final StringBuilder rows = new StringBuilder(1 << 20);
    private boolean first = true;

    CopyRow add(long value) {
        separate();
        rows.append(value);
        return this;
    }

    CopyRow add(String value) {
        separate();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> rows.append("\\\\");
                case '\t' -> rows.append("\\t");
                case '\n' -> rows.append("\\n");
                case '\r' -> rows.append("\\r");
                default -> rows.append(c);
            }
        }
        return this;
    }

    private void separate() {
        if (!first) {
            rows.append('\t');
        }
        first = false;
    }

    void end() {
        rows.append('\n');
        first = true;
    }

    /** All rows since the last time. */
    String take() {
        String all = rows.toString();
        rows.setLength(0);
        return all;
    }
}
