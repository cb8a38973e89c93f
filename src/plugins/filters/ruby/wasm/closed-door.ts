/**
 * What Ruby in WebAssembly may reach of JavaScript. The package lets Ruby code evaluate JavaScript and walk from any
 * object to the whole process; once our own Ruby is loaded, only the methods of the objects we hand over can be called.
 */

type AbiResult = { readonly tag: 'success' | 'failure'; readonly val: unknown }

/** The functions Ruby reaches JavaScript through, as far as they are changed. */
interface Imports {
  evalJs(code: string): AbiResult
  globalThis(): unknown
  reflectGet(target: unknown, name: string): AbiResult
  reflectApply(target: unknown, self: unknown, args: unknown[]): AbiResult
  reflectSet(target: unknown, name: string, value: unknown): AbiResult
}

export interface ImportMaker {
  getImports(...args: unknown[]): Imports
}

export class ClosedDoor {
  #isClosed = false
  readonly #isOurs: (value: unknown) => boolean
  /** Method by name, for each kind of object. */
  readonly #methods = new Set<unknown>()

  /** `methods`: all functions that may be called, each as a property of an object that `isOurs`. */
  constructor(isOurs: (value: unknown) => boolean, methods: Iterable<unknown>) {
    this.#isOurs = isOurs
    for (const method of methods) this.#methods.add(method)
  }

  close(): void {
    this.#isClosed = true
  }

  /** Makes the machines that are started from now on go through this door. */
  guard(prototype: ImportMaker): void {
    const original = prototype.getImports
    if (typeof original !== 'function')
      throw new Error('this version of @ruby/wasm-wasi is not known; 2.10 is')
    const door = this
    prototype.getImports = function (this: ImportMaker, ...args: unknown[]): Imports {
      return door.#around(original.apply(this, args))
    }
  }

  #around(imports: Imports): Imports {
    const { evalJs, globalThis: globalObject, reflectGet, reflectApply, reflectSet } = imports
    return {
      ...imports,
      evalJs: (code) => (this.#isClosed ? refused : evalJs(code)),
      globalThis: () => (this.#isClosed ? nothing : globalObject()),
      reflectGet: (target, name) => {
        if (!this.#isClosed) return reflectGet(target, name)
        const isMethod = this.#isOurs(target) && this.#methods.has((target as Record<string, unknown>)[name])
        return isMethod ? reflectGet(target, name) : refused
      },
      reflectApply: (target, self, args) =>
        !this.#isClosed || (this.#methods.has(target) && this.#isOurs(self))
          ? reflectApply(target, self, args)
          : refused,
      reflectSet: (target, name, value) => (this.#isClosed ? refused : reflectSet(target, name, value)),
    }
  }
}

const nothing = Object.freeze(Object.create(null) as object)
const refused: AbiResult = { tag: 'failure', val: new Error('JavaScript cannot be reached from here') }
