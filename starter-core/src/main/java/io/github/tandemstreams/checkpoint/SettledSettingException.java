package io.github.tandemstreams.checkpoint;

/** A setting that a stream keeps from its first start on is configured otherwise now. */
public class SettledSettingException extends RuntimeException {

    private final String setting;
    private final String settled;
    private final String configured;

    public SettledSettingException(String setting, String settled, String configured) {
        super(setting + " was settled as " + settled + " and can't become " + configured);
        this.setting = setting;
        this.settled = settled;
        this.configured = configured;
    }

    /** Name of the setting, such as {@code isolation-level}. */
    public String setting() {
        return setting;
    }

    /** Its value since the first start. */
    public String settled() {
        return settled;
    }

    /** Its value now. */
    public String configured() {
        return configured;
    }
}
