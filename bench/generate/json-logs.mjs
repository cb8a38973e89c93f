// JSON application log lines, about 274 bytes each: strings, integers, floats, a boolean, a nested object with a
// list; one line in 1000 is not ASCII. Every float is at least 1 and its last digit is not 0, so that every program
// prints it the same way (no `1.50`, no `1.0E-4`). No line has a field that an input sets by itself.
import { seeded } from './random.mjs'

export const version = 1

const levels = ['info', 'info', 'info', 'info', 'info', 'info', 'debug', 'debug', 'warn', 'error']
const loggers = [
  'shop.orders.OrderService',
  'shop.billing.Invoices',
  'shop.stock.Warehouse',
  'shop.http.Access',
]
const names = ['Zoë', 'Łukasz', '東京', 'Ελένη', 'Ωμέγα 😀']

const float = (random, whole, digits) => {
  const scale = 10 ** digits
  return ((1 + random.below(whole)) * scale + random.below(scale / 10) * 10 + 1 + random.below(9)) / scale
}

export function* lines(count, seed) {
  const random = seeded(seed)
  for (let index = 0; index < count; index++) {
    const customer = index % 1000 === 500 ? random.pick(names) : `customer-${random.below(1_000_000)}`
    yield JSON.stringify({
      level: random.pick(levels),
      logger: random.pick(loggers),
      thread: `http-nio-8080-worker-${random.below(20)}`,
      msg: `Processed order ${index} for ${customer} in ${random.below(500)} ms`,
      order: {
        id: index,
        total: float(random, 1000, 2),
        items: [random.below(90), random.below(90), random.below(90)],
        paid: random.chance(0.8),
      },
      trace_id: random.hex(16),
      bytes: random.below(100_000),
      duration: float(random, 100, 6),
    })
  }
}
