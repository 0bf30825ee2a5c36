export declare function asModule(source: string): string
export declare function withoutEffects(source: string): string
