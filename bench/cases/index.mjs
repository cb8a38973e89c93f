// All cases, in the order in which they run and are reported.
import coldStart from './cold-start.mjs'
import configCheck from './config-check.mjs'
import fileJson from './file-json.mjs'
import generatorDots from './generator-dots.mjs'
import generatorNull from './generator-null.mjs'
import idleMemory from './idle-memory.mjs'
import stdinJson from './stdin-json.mjs'
import tcpJsonMutate from './tcp-json-mutate.mjs'

export const cases = [
  generatorNull,
  generatorDots,
  stdinJson,
  fileJson,
  tcpJsonMutate,
  coldStart,
  idleMemory,
  configCheck,
]
