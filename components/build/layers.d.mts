export declare function withoutLayers(css: string): string
export declare function next(css: string, from: number, signs: string): number
