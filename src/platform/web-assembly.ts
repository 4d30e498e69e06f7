/** Whether this Node has WebAssembly: some of its options, inherited through NODE_OPTIONS, take it away. */

/** How to get it back. */
export const WEBASSEMBLY_REMEDY = "Take --jitless and --no-expose-wasm out of Node's options (NODE_OPTIONS).";

/** This Node runs WebAssembly. */
export const hasWebAssembly = (): boolean => "WebAssembly" in globalThis;
