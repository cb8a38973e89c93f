/** What we call ourselves, and which Logstash our outside matches. */
export const version = '0.1.0'

/** The Logstash version whose behaviour and API we follow; monitoring clients read this one. */
export const logstashVersion = '9.5.2'
