import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ParseOptions } from 'llmjson'

/**
 * Wraps a server's transport: call arguments are coerced to the tools' schemas, which are requested from the server
 * itself by the protocol, with the policy `tool` by default. Nonconforming arguments are left for the server to reject.
 */
export declare function coercing(transport: Transport, options?: ParseOptions): Transport
