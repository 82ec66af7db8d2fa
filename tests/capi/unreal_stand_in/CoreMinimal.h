// A stand-in, not Unreal: just enough of Unreal's words, over the standard library, for the plugin's files to
// compile and to run in the tests. Written for this repository; it shows that the plugin is consistent with
// itself and with the library, not that it works in an editor.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
using TCHAR = char16_t;

#define TEXT(text) u##text
#define PLATFORM_WINDOWS 0
#define PLATFORM_MAC 0
#define PLATFORM_LINUX 1

// Unreal's macros that a library's header must bear.
#define check(expression)                                                                          \
  do {                                                                                             \
    if (!(expression)) {                                                                           \
      std::fprintf(stderr, "%s:%d: check(%s)\n", __FILE__, __LINE__, #expression);                 \
      std::abort();                                                                                \
    }                                                                                              \
  } while (0)
#define verify(expression) check(expression)
#define ensure(expression) (expression)

#define USTRUCT(...)
#define UCLASS(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY()

namespace StandIn {

inline std::string Utf8(const TCHAR *text) {
  std::string out;
  for (; *text != 0; text++) {
    char32_t point = *text;
    if (point >= 0xD800 && point < 0xDC00 && text[1] >= 0xDC00 && text[1] < 0xE000) {
      point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<char32_t>(*++text) - 0xDC00);
    }
    if (point < 0x80) {
      out += static_cast<char>(point);
      continue;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    out += static_cast<char>((0xF00u >> (more + 1) & 0xFFu) | (point >> (6 * more)));
    for (int at = more - 1; at >= 0; at--) {
      out += static_cast<char>(0x80u | (point >> (6 * at) & 0x3Fu));
    }
  }
  return out;
}

inline std::u16string Utf16(const char *text) {
  std::u16string out;
  while (*text != 0) {
    const unsigned char lead = static_cast<unsigned char>(*text++);
    const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t point = more == 0 ? lead : lead & (0x3Fu >> more);
    for (int at = 0; at < more && *text != 0; at++) {
      point = point << 6 | (static_cast<unsigned char>(*text++) & 0x3Fu);
    }
    if (point >= 0x10000) {
      out += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10));
      point = 0xDC00 + (point & 0x3FF);
    }
    out += static_cast<char16_t>(point);
  }
  return out;
}

} // namespace StandIn

class FString {
public:
  FString() = default;
  FString(const TCHAR *text) : text_(text) {}
  explicit FString(std::u16string text) : text_(std::move(text)) {}
  const TCHAR *operator*() const { return text_.c_str(); }
  bool IsEmpty() const { return text_.empty(); }
  int32 Len() const { return static_cast<int32>(text_.size()); }
  bool Contains(const TCHAR *part) const { return text_.find(part) != std::u16string::npos; }
  friend bool operator==(const FString &a, const FString &b) { return a.text_ == b.text_; }
  const std::u16string &StandInText() const { return text_; }

private:
  std::u16string text_;
};

class FTCHARToUTF8 {
public:
  explicit FTCHARToUTF8(const TCHAR *text) : text_(StandIn::Utf8(text)) {}
  const char *Get() const { return text_.c_str(); }
  int32 Length() const { return static_cast<int32>(text_.size()); }

private:
  std::string text_;
};

#define UTF8_TO_TCHAR(text) (StandIn::Utf16(text).c_str())

struct FGuid {
  FGuid() = default;
  FGuid(uint32 a, uint32 b, uint32 c, uint32 d) : A(a), B(b), C(c), D(d) {}
  uint32 A = 0, B = 0, C = 0, D = 0;
  friend bool operator==(const FGuid &a, const FGuid &b) {
    return a.A == b.A && a.B == b.B && a.C == b.C && a.D == b.D;
  }
};

template <class T> class TArray {
public:
  void Add(T value) { items_.push_back(std::move(value)); }
  int32 Num() const { return static_cast<int32>(items_.size()); }
  void Empty() { items_.clear(); }
  template <class Is> void RemoveAll(Is is) {
    std::vector<T> kept;
    for (T &item : items_) {
      if (!is(item)) {
        kept.push_back(item);
      }
    }
    items_ = kept;
  }
  const T &operator[](int32 at) const { return items_.at(static_cast<std::size_t>(at)); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

private:
  std::vector<T> items_;
};

template <class K, class V> struct TPair {
  K Key;
  V Value;
};

template <class K, class V> class TMap {
public:
  void Add(K key, V value) { items_.push_back(TPair<K, V>{std::move(key), std::move(value)}); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

private:
  std::vector<TPair<K, V>> items_;
};

template <class T> class TSharedPtr {
public:
  TSharedPtr() = default;
  TSharedPtr(std::nullptr_t) {}
  explicit TSharedPtr(std::shared_ptr<T> held) : StandInHeld(std::move(held)) {}
  bool IsValid() const { return StandInHeld != nullptr; }
  void Reset() { StandInHeld.reset(); }
  T *operator->() const { return StandInHeld.get(); }
  T &operator*() const { return *StandInHeld; }
  explicit operator bool() const { return IsValid(); }
  std::shared_ptr<T> StandInHeld;
};

template <class T> TSharedPtr<T> MakeShared() { return TSharedPtr<T>(std::make_shared<T>()); }

template <class T> class TWeakPtr {
public:
  TWeakPtr(const TSharedPtr<T> &of) : held_(of.StandInHeld) {}
  TSharedPtr<T> Pin() const { return TSharedPtr<T>(held_.lock()); }
  bool IsValid() const { return !held_.expired(); }

private:
  std::weak_ptr<T> held_;
};

inline bool IsInGameThread() {
  static const std::thread::id game = std::this_thread::get_id();
  return game == std::this_thread::get_id();
}

namespace StandIn {

template <class P> class Multicast {
public:
  void Broadcast(P value) const {
    for (const auto &handler : handlers_) {
      handler(value);
    }
  }
  void Add(std::function<void(P)> handler) { handlers_.push_back(std::move(handler)); }

private:
  std::vector<std::function<void(P)>> handlers_;
};

} // namespace StandIn

#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, Type, Parameter)                         \
  class Name : public StandIn::Multicast<Type> {}

class UObject {
public:
  virtual ~UObject() = default;
};
