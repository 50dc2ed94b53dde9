//! Stops a build that might have linked a PCRE2 of the system
//! (.cargo/config.toml says how that is avoided).

fn main() {
    println!("cargo:rerun-if-env-changed=PCRE2_SYS_STATIC");
    println!("cargo:rerun-if-changed=build.rs");
    let fixed = std::env::var("PCRE2_SYS_STATIC").is_ok_and(|v| v == "1");
    assert!(
        fixed,
        "PCRE2_SYS_STATIC=1 is not set: run cargo in match/librure, or set it"
    );
}
