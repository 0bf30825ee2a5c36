// Texts that need not cross for each render (`src/kept.rs`).
(() => {
  const { op_ssr_shared, op_ssr_keep, op_ssr_clear } = Deno.core.ops
  Object.defineProperty(globalThis, '__texts', {
    value: Object.freeze({
      shared: () => op_ssr_shared(),
      keep(html) {
        const number = op_ssr_keep(html)
        if (number === 0) throw new Error('a mark stands for nothing')
        return number
      },
      clear: () => op_ssr_clear(),
    }),
  })
})()
