/**
 * What somebody may do: the grants of their roles together. An API key may do what both its own descriptors and the
 * roles of its owner grant. Answers about indices are remembered, because the same few names are asked for again
 * and again.
 */
import { hasWildcard, PatternSet } from './action-pattern.ts'
import { clusterPrivilege, grants, indexPrivilege, type Privilege } from './privileges.ts'
import type { Role } from './role.ts'

export interface Grants {
  allowsCluster(action: string): boolean
  /** Whether the action is allowed on some index, whichever. */
  allowsIndexAction(action: string): boolean
  allowsIndex(action: string, name: string): boolean
  /** Whether it is allowed on every index there is or may be. */
  allowsEverywhere(action: string): boolean
  /** Whether everything that the privilege stands for is granted. */
  coversCluster(privilege: string): boolean
  /** `name` may be a pattern. */
  coversIndex(privilege: string, name: string): boolean
}

interface Group {
  readonly names: PatternSet
  readonly privileges: readonly Privilege[]
}

const maxRemembered = 10_000

export class RoleGrants implements Grants {
  readonly #cluster: readonly Privilege[]
  readonly #groups: readonly Group[]
  readonly #remembered = new Map<string, boolean>()
  readonly #everywhere = new Map<string, boolean>()

  /** `user` stands for `${user.name}` in the index patterns of OpenSearch. */
  constructor(roles: readonly Role[], user: string) {
    const own = (name: string) => name.replaceAll('${user.name}', user).replaceAll('${user_name}', user)
    this.#cluster = roles.flatMap(({ cluster }) => known(cluster, clusterPrivilege))
    this.#groups = roles.flatMap(({ indices }) =>
      indices.map(({ names, privileges }) => ({
        names: new PatternSet(names.map((name) => (name === '_all' ? '*' : own(name)))),
        privileges: known(privileges, indexPrivilege),
      })),
    )
  }

  allowsCluster(action: string): boolean {
    return this.#cluster.some((privilege) => grants(privilege, action))
  }

  allowsIndexAction(action: string): boolean {
    return this.#groups.some((group) => isGranted(group, action))
  }

  allowsIndex(action: string, name: string): boolean {
    const key = `${action} ${name}`
    let answer = this.#remembered.get(key)
    if (answer === undefined) {
      answer = this.#groups.some((group) => group.names.matches(name) && isGranted(group, action))
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear()
      this.#remembered.set(key, answer)
    }
    return answer
  }

  allowsEverywhere(action: string): boolean {
    let answer = this.#everywhere.get(action)
    if (answer === undefined) {
      answer = this.#groups.some((group) => group.names.isAll && isGranted(group, action))
      // There are only so many actions.
      this.#everywhere.set(action, answer)
    }
    return answer
  }

  coversCluster(name: string): boolean {
    return isCovered(clusterPrivilege(name), this.#cluster)
  }

  coversIndex(name: string, index: string): boolean {
    const asked = index === '_all' ? '*' : index
    const there = this.#groups.filter((group) => group.names.matches(asked))
    return isCovered(
      indexPrivilege(name),
      there.flatMap(({ privileges }) => privileges),
    )
  }
}

export class LimitedGrants implements Grants {
  readonly #own: Grants
  readonly #limit: Grants

  constructor(own: Grants, limit: Grants) {
    this.#own = own
    this.#limit = limit
  }

  allowsCluster(action: string): boolean {
    return this.#own.allowsCluster(action) && this.#limit.allowsCluster(action)
  }

  allowsIndexAction(action: string): boolean {
    return this.#own.allowsIndexAction(action) && this.#limit.allowsIndexAction(action)
  }

  allowsIndex(action: string, name: string): boolean {
    return this.#own.allowsIndex(action, name) && this.#limit.allowsIndex(action, name)
  }

  allowsEverywhere(action: string): boolean {
    return this.#own.allowsEverywhere(action) && this.#limit.allowsEverywhere(action)
  }

  coversCluster(name: string): boolean {
    return this.#own.coversCluster(name) && this.#limit.coversCluster(name)
  }

  coversIndex(name: string, index: string): boolean {
    return this.#own.coversIndex(name, index) && this.#limit.coversIndex(name, index)
  }
}

function known(names: readonly string[], find: (name: string) => Privilege | undefined): Privilege[] {
  return names.map(find).filter((one) => one !== undefined)
}

function isGranted({ privileges }: Group, action: string): boolean {
  return privileges.some((privilege) => grants(privilege, action))
}

function isCovered(asked: Privilege | undefined, held: readonly Privilege[]): boolean {
  if (asked === undefined) return false
  const whole = asked.except === undefined
  return asked.actions.patterns.every((pattern) =>
    held.some(
      ({ actions, except }) =>
        actions.matches(pattern) && (except === undefined || !whole || !isTouched(pattern, except.patterns)),
    ),
  )
}

/** Whether a pattern reaches into what is excepted: either covers the other. */
function isTouched(pattern: string, excepted: readonly string[]): boolean {
  const asked = new PatternSet([pattern])
  return excepted.some(
    (one) => new PatternSet([one]).matches(pattern) || (hasWildcard(pattern) && asked.matches(one)),
  )
}
