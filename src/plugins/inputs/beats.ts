/** Receives events from Beats (Filebeat, Metricbeat …) and from anything else that speaks Lumberjack. */
import { defineBeatsInput } from './beats/input.ts'

export default defineBeatsInput('beats', 'Receives events from Beats over the Lumberjack protocol.')
