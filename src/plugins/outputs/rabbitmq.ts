/** Sends events to an exchange of RabbitMQ. */
import { defineRabbitOutput } from './rabbitmq/output.ts'

export default defineRabbitOutput('rabbitmq', 'Sends events to an exchange of a RabbitMQ server.')
