/**
 * What a plugin may have compiled for it once, when it is created: field accessors, templates, patterns.
 */
import {
  compileGet,
  compileRemove,
  compileSet,
  type Getter,
  type Remover,
  type Setter,
} from '../event/accessors.ts'
import { compileTemplate, isConstantTemplate, type Template } from '../event/sprintf.ts'
import { compileLatePattern } from '../regex/late-pattern.ts'
import type { Pattern } from '../regex/pattern.ts'

export interface Compile {
  get(reference: string): Getter
  set(reference: string): Setter
  remove(reference: string): Remover
  /** A `%{…}` template as a function of the event. */
  template(text: string): Template
  isConstant(template: string): boolean
  /** A Ruby regular expression. */
  pattern(source: string): Pattern
}

export const compile: Compile = {
  get: compileGet,
  set: compileSet,
  remove: compileRemove,
  template: compileTemplate,
  isConstant: isConstantTemplate,
  pattern: compileLatePattern,
}
