//! A small painter: a gradient, soft shadows, turned sprites.

/// An emoji with transparency.
pub(super) struct Sprite {
    pixels: Vec<u8>,
    side: usize,
}

impl Sprite {
    /// Reads a square WebP; RGB or RGBA.
    pub(super) fn decode(bytes: &[u8]) -> Option<Sprite> {
        let image = webp::Decoder::new(bytes).decode()?;
        let side = image.width() as usize;
        if side == 0 || image.height() as usize != side {
            return None;
        }
        let pixels = if image.is_alpha() {
            image.to_vec()
        } else {
            image.chunks_exact(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 255]).collect()
        };
        (pixels.len() == side * side * 4).then_some(Sprite { pixels, side })
    }

    /// Colour multiplied by alpha, and alpha, between pixels; transparent outside.
    fn sample(&self, x: f32, y: f32) -> [f32; 4] {
        let (left, top) = (x.floor(), y.floor());
        let (right_share, low_share) = (x - left, y - top);
        let mut sum = [0.0; 4];
        for (column, row, share) in [
            (left, top, (1.0 - right_share) * (1.0 - low_share)),
            (left + 1.0, top, right_share * (1.0 - low_share)),
            (left, top + 1.0, (1.0 - right_share) * low_share),
            (left + 1.0, top + 1.0, right_share * low_share),
        ] {
            let limit = self.side as f32;
            if share <= 0.0 || column < 0.0 || row < 0.0 || column >= limit || row >= limit {
                continue;
            }
            let at = (row as usize * self.side + column as usize) * 4;
            let alpha = f32::from(self.pixels[at + 3]) / 255.0 * share;
            for (total, colour) in sum.iter_mut().zip(&self.pixels[at..at + 3]) {
                *total += f32::from(*colour) * alpha;
            }
            sum[3] += alpha;
        }
        sum
    }
}

/// An RGB picture.
pub(super) struct Canvas {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

impl Canvas {
    /// A canvas filled from the first colour to the second along an angle in degrees.
    pub(super) fn gradient(width: usize, height: usize, from: [u8; 3], to: [u8; 3], degrees: f32) -> Canvas {
        const STEPS: usize = 256;
        let mix = |share: f32, part: usize| {
            f32::from(from[part]) + (f32::from(to[part]) - f32::from(from[part])) * share
        };
        let table: Vec<[u8; 3]> = (0..STEPS)
            .map(|step| [0, 1, 2].map(|part| mix(step as f32 / (STEPS - 1) as f32, part).round() as u8))
            .collect();
        let (sin, cos) = degrees.to_radians().sin_cos();
        let reach = (width as f32 * cos.abs() + height as f32 * sin.abs()) / 2.0;
        let (middle_x, middle_y) = (width as f32 / 2.0, height as f32 / 2.0);
        let mut pixels = vec![0; width * height * 3];
        let scale = (STEPS - 1) as f32 / (2.0 * reach);
        for (row, line) in pixels.chunks_exact_mut(width * 3).enumerate() {
            let base = (row as f32 - middle_y) * sin - middle_x * cos + reach;
            for (column, pixel) in line.chunks_exact_mut(3).enumerate() {
                let step = ((base + column as f32 * cos) * scale) as usize;
                pixel.copy_from_slice(&table[step.min(STEPS - 1)]);
            }
        }
        Canvas { pixels, width, height }
    }

    /// Puts a sprite with its shadow around a middle, so wide, turned by degrees.
    pub(super) fn place(&mut self, sprite: &Sprite, x: f32, y: f32, size: f32, degrees: f32) {
        self.shadow(x, y + size * 0.46, size * 0.46, size * 0.11);
        let (sin, cos) = degrees.to_radians().sin_cos();
        let scale = sprite.side as f32 / size;
        let half = size / 2.0 * (sin.abs() + cos.abs());
        let middle = sprite.side as f32 / 2.0;
        self.each(x, y, half, half, |pixel, dx, dy| {
            let [red, green, blue, alpha] = sprite.sample(
                (dx * cos + dy * sin) * scale + middle - 0.5,
                (dy * cos - dx * sin) * scale + middle - 0.5,
            );
            if alpha > 0.0 {
                for (below, above) in pixel.iter_mut().zip([red, green, blue]) {
                    *below = (f32::from(*below) * (1.0 - alpha) + above).round().clamp(0.0, 255.0) as u8;
                }
            }
        });
    }

    /// A soft dark ellipse; warm, because the light of a table is.
    fn shadow(&mut self, x: f32, y: f32, wide: f32, high: f32) {
        const STRENGTH: f32 = 0.34;
        const TINT: [f32; 3] = [74.0, 48.0, 30.0];
        self.each(x, y, wide, high, |pixel, dx, dy| {
            let distance = (dx / wide).powi(2) + (dy / high).powi(2);
            if distance < 1.0 {
                let share = STRENGTH * (1.0 - distance).powi(2);
                for (below, tint) in pixel.iter_mut().zip(TINT) {
                    *below = (f32::from(*below) * (1.0 - share) + tint * share) as u8;
                }
            }
        });
    }

    /// Every pixel of a box around a middle, with its distance from it.
    fn each(&mut self, x: f32, y: f32, half_wide: f32, half_high: f32, mut paint: impl FnMut(&mut [u8], f32, f32)) {
        let top = (y - half_high).max(0.0) as usize;
        let bottom = ((y + half_high).max(0.0) as usize + 1).min(self.height);
        let left = (x - half_wide).max(0.0) as usize;
        let right = ((x + half_wide).max(0.0) as usize + 1).min(self.width);
        for row in top..bottom {
            for column in left..right {
                let at = (row * self.width + column) * 3;
                paint(&mut self.pixels[at..at + 3], column as f32 + 0.5 - x, row as f32 + 0.5 - y);
            }
        }
    }

    /// The picture as lossy WebP.
    pub(super) fn webp(&self, quality: f32) -> Vec<u8> {
        webp::Encoder::from_rgb(&self.pixels, self.width as u32, self.height as u32).encode(quality).to_vec()
    }
}
