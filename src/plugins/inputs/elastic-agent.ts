/** Receives events from Elastic Agents: the beats input under its newer name. */
import { defineBeatsInput } from './beats/input.ts'

export default defineBeatsInput(
  'elastic_agent',
  'Receives events from Elastic Agents over the Lumberjack protocol.',
)
