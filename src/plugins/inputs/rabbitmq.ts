/** Reads messages from a queue of RabbitMQ. */
import { defineRabbitInput } from './rabbitmq/input.ts'

export default defineRabbitInput('rabbitmq', 'Reads messages from a queue of a RabbitMQ server.')
