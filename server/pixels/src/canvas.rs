//! A small painter: a gradient, soft shadows, turned sprites.

/// An emoji with transparency.
pub struct Sprite {
    pixels: Vec<u8>,
    side: usize,
}

impl Sprite {
    /// Reads a square WebP; RGB or RGBA.
    pub fn decode(bytes: &[u8]) -> Option<Sprite> {
        let image = webp::Decoder::new(bytes).decode()?;
        let side = image.width() as usize;
        if side == 0 || image.height() as usize != side {
            return None;
        }
        let pixels = if image.is_alpha() {
            image.to_vec()
        } else {
            image
                .chunks_exact(3)
                .flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 255])
                .collect()
        };
        (pixels.len() == side * side * 4).then_some(Sprite { pixels, side })
    }

    /// Lays the colour between four pixels over one below; transparent outside.
    /// Whole numbers and plain steps: unoptimised builds draw pictures too.
    fn lay(&self, x: f32, y: f32, below: &mut [u8]) {
        let limit = (self.side - 1) as f32;
        if x < 0.0 || y < 0.0 || x >= limit || y >= limit {
            return;
        }
        let (column, row) = (x as usize, y as usize);
        let at = (row * self.side + column) * 4;
        let near = &self.pixels[at..at + 8];
        let far = &self.pixels[at + self.side * 4..at + self.side * 4 + 8];
        if near[3] | near[7] | far[3] | far[7] == 0 {
            return;
        }
        // Shares of the four in 1/256, weighted by their alphas: at most 65,280 together.
        let right = ((x - column as f32) * 16.0) as u32;
        let low = ((y - row as f32) * 16.0) as u32;
        let first = (16 - right) * (16 - low) * u32::from(near[3]);
        let second = right * (16 - low) * u32::from(near[7]);
        let third = (16 - right) * low * u32::from(far[3]);
        let fourth = right * low * u32::from(far[7]);
        let rest = FULL - (first + second + third + fourth);
        let mut part = 0;
        while part < 3 {
            below[part] = ((u32::from(near[part]) * first
                + u32::from(near[part + 4]) * second
                + u32::from(far[part]) * third
                + u32::from(far[part + 4]) * fourth
                + u32::from(below[part]) * rest)
                / FULL) as u8;
            part += 1;
        }
    }
}

/// Four full shares of an opaque colour.
const FULL: u32 = 256 * 255;

/// An RGB picture.
pub struct Canvas {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

impl Canvas {
    /// A canvas filled from the first colour to the second along an angle in degrees.
    pub fn gradient(
        width: usize,
        height: usize,
        from: [u8; 3],
        to: [u8; 3],
        degrees: f32,
    ) -> Canvas {
        const STEPS: usize = 256;
        let mix = |share: f32, part: usize| {
            f32::from(from[part]) + (f32::from(to[part]) - f32::from(from[part])) * share
        };
        let table: Vec<[u8; 3]> = (0..STEPS)
            .map(|step| {
                [0, 1, 2].map(|part| mix(step as f32 / (STEPS - 1) as f32, part).round() as u8)
            })
            .collect();
        let (sin, cos) = degrees.to_radians().sin_cos();
        let reach = (width as f32 * cos.abs() + height as f32 * sin.abs()) / 2.0;
        let (middle_x, middle_y) = (width as f32 / 2.0, height as f32 / 2.0);
        let mut pixels = vec![0; width * height * 3];
        let scale = (STEPS - 1) as f32 / (2.0 * reach);
        for (row, line) in pixels.chunks_exact_mut(width * 3).enumerate() {
            let base = (row as f32 - middle_y) * sin - middle_x * cos + reach;
            let mut at = 0;
            while at < line.len() {
                // Every second pixel is enough for a gradient.
                let step = ((base + (at / 3) as f32 * cos) * scale) as usize;
                let colour = &table[step.min(STEPS - 1)];
                let end = (at + 6).min(line.len());
                line[at..at + 3].copy_from_slice(colour);
                line[end - 3..end].copy_from_slice(colour);
                at = end;
            }
        }
        Canvas {
            pixels,
            width,
            height,
        }
    }

    /// Puts a sprite with its shadow around a middle, so wide, turned by degrees.
    pub fn place(&mut self, sprite: &Sprite, x: f32, y: f32, size: f32, degrees: f32) {
        self.shadow(x, y + size * 0.46, size * 0.46, size * 0.11);
        let (sin, cos) = degrees.to_radians().sin_cos();
        let scale = sprite.side as f32 / size;
        let half = size / 2.0 * (sin.abs() + cos.abs());
        let middle = sprite.side as f32 / 2.0;
        self.each(x, y, half, half, |pixel, dx, dy| {
            sprite.lay(
                (dx * cos + dy * sin) * scale + middle - 0.5,
                (dy * cos - dx * sin) * scale + middle - 0.5,
                pixel,
            );
        });
    }

    /// A soft dark ellipse; warm, because the light of a table is.
    fn shadow(&mut self, x: f32, y: f32, wide: f32, high: f32) {
        const STRENGTH: f32 = 0.34;
        const TINT: [f32; 3] = [74.0, 48.0, 30.0];
        self.each(x, y, wide, high, |pixel, dx, dy| {
            let (across, down) = (dx / wide, dy / high);
            let height = 1.0 - across * across - down * down;
            if height > 0.0 {
                let share = STRENGTH * height * height;
                for (below, tint) in pixel.iter_mut().zip(TINT) {
                    *below = (f32::from(*below) * (1.0 - share) + tint * share) as u8;
                }
            }
        });
    }

    /// Every pixel of a box around a middle, with its distance from it.
    fn each(
        &mut self,
        x: f32,
        y: f32,
        half_wide: f32,
        half_high: f32,
        mut paint: impl FnMut(&mut [u8], f32, f32),
    ) {
        let top = (y - half_high).max(0.0) as usize;
        let bottom = ((y + half_high).max(0.0) as usize + 1).min(self.height);
        let left = (x - half_wide).max(0.0) as usize;
        let right = ((x + half_wide).max(0.0) as usize + 1).min(self.width);
        for row in top..bottom {
            for column in left..right {
                let at = (row * self.width + column) * 3;
                paint(
                    &mut self.pixels[at..at + 3],
                    column as f32 + 0.5 - x,
                    row as f32 + 0.5 - y,
                );
            }
        }
    }

    /// The picture as lossy WebP, by the encoder's quickest way: a request waits for it.
    pub fn webp(&self, quality: f32) -> Option<Vec<u8>> {
        let mut config = webp::WebPConfig::new().ok()?;
        config.quality = quality;
        config.method = 0;
        let encoder = webp::Encoder::from_rgb(&self.pixels, self.width as u32, self.height as u32);
        Some(encoder.encode_advanced(&config).ok()?.to_vec())
    }
}
