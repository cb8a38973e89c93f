/**
 * Loads the handlers of every kind of node.
 */
import './literals.ts'
import './variables.ts'
import './assignment.ts'
import './statements.ts'
import './blocks.ts'
import './calls.ts'
import './defined.ts'
import './patterns.ts'
