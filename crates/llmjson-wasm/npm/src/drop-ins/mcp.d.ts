import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ParseOptions } from 'llmjson'

/**
 * Wraps the transport of a server: the arguments of calls are coerced to the tools' schemas, which are asked of the
 * server itself by the protocol, with the policy `tool` unless another is given. What does not fit is the server's to refuse.
 */
export declare function coercing(transport: Transport, options?: ParseOptions): Transport
