// What need not cross for each render (`src/fragment_cache.rs`).
(() => {
  const { op_ssr_shared, op_ssr_insert, op_ssr_clear } = Deno.core.ops
  Object.defineProperty(globalThis, '__fragments', {
    value: Object.freeze({
      shared: () => op_ssr_shared(),
      insert(html) {
        const number = op_ssr_insert(html)
        if (number === 0) throw new Error('a placeholder stands for nothing')
        return number
      },
      clear: () => op_ssr_clear(),
    }),
  })
})()
