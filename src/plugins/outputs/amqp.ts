/** The amqp output, as very old configurations call the rabbitmq output. */
import { defineRabbitOutput } from './rabbitmq/output.ts'

export default defineRabbitOutput('amqp', 'Sends events to RabbitMQ; an older name of `rabbitmq`.')
