/** Network namespaces on one bridge, and ways between two of them that lead nowhere for a while. */
import { execFileSync } from 'node:child_process'

const net = '10.213.77'

export class Namespaces {
  readonly gateway = `${net}.1`
  readonly #prefix = `mr${process.pid % 10_000}`
  readonly #names: readonly string[]

  private constructor(names: readonly string[]) {
    this.#names = names
  }

  static create(names: readonly string[]): Namespaces {
    const made = new Namespaces(names)
    try {
      made.#create()
    } catch (error) {
      made.remove()
      throw error
    }
    return made
  }

  #create(): void {
    const bridge = `${this.#prefix}br`
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('addr', 'add', `${this.gateway}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (const name of this.#names) {
      const space = this.#space(name)
      const end = `${this.#prefix}${name}`
      ip('netns', 'add', space)
      ip('link', 'add', end, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
      ip('link', 'set', end, 'master', bridge, 'up')
      ip('-n', space, 'addr', 'add', `${this.address(name)}/24`, 'dev', 'eth0')
      ip('-n', space, 'link', 'set', 'eth0', 'up')
      ip('-n', space, 'link', 'set', 'lo', 'up')
    }
  }

  address(name: string): string {
    return `${net}.${this.#names.indexOf(name) + 10}`
  }

  /** Words that run a command inside. */
  inside(name: string): string[] {
    return ['ip', 'netns', 'exec', this.#space(name)]
  }

  /** Neither hears of the other any more. */
  cut(one: string, other: string): void {
    ip('-n', this.#space(one), 'route', 'add', 'blackhole', `${this.address(other)}/32`)
    ip('-n', this.#space(other), 'route', 'add', 'blackhole', `${this.address(one)}/32`)
  }

  mend(one: string, other: string): void {
    ip('-n', this.#space(one), 'route', 'del', 'blackhole', `${this.address(other)}/32`)
    ip('-n', this.#space(other), 'route', 'del', 'blackhole', `${this.address(one)}/32`)
  }

  remove(): void {
    for (const name of this.#names) quietly('netns', 'del', this.#space(name))
    quietly('link', 'del', `${this.#prefix}br`)
  }

  #space(name: string): string {
    return `${this.#prefix}-${name}`
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' })
}

function quietly(...args: string[]): void {
  try {
    ip(...args)
  } catch {
    // It was not there.
  }
}
