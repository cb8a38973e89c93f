/** The amqp input, as very old configurations call the rabbitmq input. */
import { defineRabbitInput } from './rabbitmq/input.ts'

export default defineRabbitInput('amqp', 'Reads messages from RabbitMQ; an older name of `rabbitmq`.')
